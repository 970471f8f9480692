// What stays with a browser: a page of ours where there is no network, and word of a turn.
// The server puts before this what it knows of its `site`. A worker of another version
// has a cache of its own, which goes with it.

const keep = async () => {
  const cache = await caches.open(site.cache);
  await cache.addAll([site.offline, ...site.files]);
};
const forget = async (kept) => {
  const names = (await caches.keys()).filter((name) => name.startsWith("pbm-") && name !== kept);
  await Promise.all(names.map((name) => caches.delete(name)));
};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keep());
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([
    forget(site.cache), registration.navigationPreload?.enable(), clients.claim(),
  ]));
});

// Whoever signs out leaves nothing here, neither a page nor a word, nor this worker: the
// next one who signs in brings another
async function signOut() {
  const told = await registration.getNotifications();
  told.forEach((one) => one.close());
  await Promise.all([forget(""), registration.unregister()]);
}

async function page({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (fault) {
    const kept = await caches.match(site.offline);
    if (kept) return kept;
    throw fault;
  }
}

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method === "POST" && url.endsWith("/signout")) event.waitUntil(signOut());
  else if (method === "GET" && mode === "navigate") event.respondWith(page(event));
  else if (site.files.some((file) => url.endsWith(file))) {
    event.respondWith(fetch(event.request).catch(() => caches.match(url)));
  }
});

// Somebody's turn: the message is a board, such as holo/12
addEventListener("push", (event) => {
  const board = event.data?.text() ?? "";
  if (!/^[a-z]+\/\d+$/.test(board)) return;
  const path = site.root + board;
  const how = { body: site.turn, icon: site.files.at(-1), tag: board, data: path };
  event.waitUntil((async () => {
    const open = await clients.matchAll({ type: "window" });
    if (open.some((one) => one.focused && new URL(one.url).pathname === path)) return;
    await registration.showNotification(board.replace("/", " "), how);
  })());
});

addEventListener("notificationclick", (event) => {
  const { notification } = event, path = notification.data;
  notification.close();
  event.waitUntil((async () => {
    const open = await clients.matchAll({ type: "window" });
    const there = open.find((one) => new URL(one.url).pathname === path);
    await (there ? there.focus() : clients.openWindow(path));
  })());
});
