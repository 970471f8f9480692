// News: the page, or the picture of a board on it, is loaded again when something happens
// on the board. The tabs of a browser share one stream: whichever has the lock listens
// for all that are visible, and tells them what it hears.

import { $, make, renew, say } from "./dom.js";

// Whether a player has begun something that would be lost
export function isBusy() {
  const fields = [...document.querySelectorAll("input, textarea")];
  return $(".bar form, [aria-pressed=true]") || fields.some((one) => one.value !== one.defaultValue);
}

// A refused stream is asked for again, by a browser as by all others at other moments
const SOON = 2, LATER = 300; // seconds

export function news(main, picture) {
  const { news: path, board } = main.dataset;
  let { revision } = main.dataset;
  const tabs = new BroadcastChannel("pbm-news");
  const tab = Math.random();
  const shown = new Map(); // the boards that are visible, by their tabs
  let source = null, leave = null, pause = SOON, again = 0;

  const told = (where, now) => {
    if (where !== board || now === revision) return;
    if (picture) { // which is as new as the page that has come
      if (revision) picture.src = picture.src.replace(/\?.*/, `?${now}`);
      revision = now;
      return;
    }
    hide();
    document.removeEventListener("visibilitychange", turn);
    const here = path.replace(/news$/, board);
    if (!isBusy()) return renew(here);
    document.title = `* ${document.title}`;
    main.prepend(make("p", { role: "status", class: "whose" },
      say("Something has happened on this board."), " ", make("a", { href: here }, say("Show it"))));
  };
  // Whether news does not come through, for all tabs to say
  const late = (isLate) => {
    const said = $(".late");
    if (!isLate) said?.remove();
    else if (!said) $("header").append(make("p", { role: "status", class: "late" }, say("No news comes now. This page keeps trying.")));
  };
  const tellLate = (isLate) => {
    tabs.postMessage({ isLate });
    late(isLate);
  };
  const wait = () => {
    const seconds = pause * (1 + Math.random() / 2);
    pause = Math.min(2 * pause, LATER);
    return 1000 * seconds;
  };
  const close = () => {
    clearTimeout(again);
    source?.close();
  };
  // The tab that listens
  const listen = () => {
    close();
    const query = [...new Set(shown.values())].sort().map((one) => `board=${one}`).join("&");
    source = new EventSource(`${path}?${query}`);
    source.onopen = () => {
      pause = SOON;
      tellLate(false);
    };
    source.onerror = ({ target }) => { // what has broken off a browser opens again itself
      if (target.readyState !== EventSource.CLOSED) return;
      again = setTimeout(listen, wait());
      tellLate(true);
    };
    source.onmessage = ({ data }) => {
      const [where, now] = data.split(" ");
      tabs.postMessage({ where, now });
      told(where, now);
    };
  };
  const lead = () => {
    shown.clear();
    shown.set(tab, board);
    tabs.postMessage({ who: true });
    listen();
    return new Promise((done) => { leave = done; });
  };
  const change = (other, where) => {
    const before = new Set(shown.values());
    if (where) shown.set(other, where);
    else shown.delete(other);
    if (before.symmetricDifference(new Set(shown.values())).size) listen();
  };
  // All tabs
  tabs.onmessage = ({ data }) => {
    if (data.now) told(data.where, data.now);
    else if ("isLate" in data) late(data.isLate);
    else if (data.who && !document.hidden) tabs.postMessage({ tab, board });
    else if (data.tab && source) change(data.tab, data.board);
  };
  const show = () => {
    tabs.postMessage({ tab, board });
    if (!navigator.locks) return void lead(); // without TLS there are none
    navigator.locks.request("pbm-news", () => (document.hidden ? null : lead()));
  };
  const hide = () => {
    tabs.postMessage({ tab, board: "" });
    close();
    source = null;
    leave?.();
    leave = null;
  };
  const turn = () => (document.hidden ? hide() : show());
  document.addEventListener("visibilitychange", turn);
  addEventListener("pagehide", hide);
  if (!document.hidden) show();
}
