// Word of a turn: the form on the page of settings, which needs what only a browser knows.

import { $ } from "./dom.js";

export function telling(form) {
  const { endpoint, key, auth } = form.elements;
  if (!endpoint) return; // it is on, and off again without a script
  const worker = navigator.serviceWorker, alert = $("[role=alert]", form);
  if (!worker || !window.PushManager) return;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    alert.hidden = true;
    try {
      const { pushManager } = await worker.ready;
      await (await pushManager.getSubscription())?.unsubscribe(); // of a key that was
      const found = await pushManager.subscribe({
        userVisibleOnly: true, applicationServerKey: form.dataset.push,
      });
      const { keys } = found.toJSON();
      endpoint.value = found.endpoint;
      key.value = keys.p256dh;
      auth.value = keys.auth;
      form.submit();
    } catch {
      alert.hidden = false;
    }
  });
}
