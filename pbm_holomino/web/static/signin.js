// The link in a letter has what proves it behind its #, which is sent to no server: it goes
// into the form, and out of sight.

import { $, say } from "./dom.js";

const form = $("form[action$='/signin/link']"), field = $("#link");

function take() {
  const given = location.hash.slice(1), [player] = given.split("~");
  if (!given) return;
  field.value = given;
  field.type = "hidden";
  $("label", form)?.remove();
  $("button", form).textContent = say("Sign in as {player}", { player });
  $("button", form).focus();
  history.replaceState(null, "", location.pathname);
}

take();
addEventListener("hashchange", take);
