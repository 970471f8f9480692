// A text that is dropped on the page, as a file or as words, is sent as its form's.

import { make, say } from "./dom.js";

const MOST = 65537; // characters: more than the server takes, so none is cut unseen

export function dropping(form) {
  const { text } = form.elements;
  const on = (kind, act) => document.addEventListener(kind, (event) => {
    event.preventDefault(); // else the browser would show the file alone
    act(event.dataTransfer);
  });
  on("dragover", () => {});
  on("drop", async (dropped) => {
    const [file] = dropped.files;
    text.value = file ? await file.slice(0, MOST).text() : dropped.getData("text");
    if (text.value) form.requestSubmit();
  });
  if (!matchMedia("(any-pointer: fine)").matches) return; // a finger drops nothing
  form.append(make("p", { class: "fine" }, say("A file can also be dropped anywhere on this page.")));
}
