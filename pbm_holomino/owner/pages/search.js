// Finds the pages that have all of some words. The texts are in texts.js, as a file
// that is opened without a server may not ask for others.
"use strict";

const form = document.querySelector(".search");
const found = document.querySelector("#found");
const MOST = 20;

function plain(text) {
  return text.toLowerCase();
}

// How well a page fits: nothing if a word is nowhere in it.
function fit(page, words) {
  const title = plain(`${page.name} ${page.title}`);
  const text = plain(page.text);
  let sum = 0;
  for (const word of words) {
    if (page.name === word) sum += 100;
    if (title.includes(word)) sum += 10;
    else if (!text.includes(word)) return 0;
    sum += Math.min(5, text.split(word).length - 1);
  }
  return sum;
}

// The text around the first of the words, which is marked.
function piece(page, words) {
  const text = plain(page.text);
  const word = words.find((one) => text.includes(one));
  const told = document.createElement("span");
  if (!word) return told;
  const at = text.indexOf(word);
  const mark = document.createElement("mark");
  mark.textContent = page.text.slice(at, at + word.length);
  told.append(
    `: ...${page.text.slice(Math.max(0, at - 60), at)}`,
    mark,
    `${page.text.slice(at + word.length, at + 80)}...`,
  );
  return told;
}

function entry(page, words) {
  const line = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${page.name}.html`;
  link.textContent = page.title;
  line.append(link, piece(page, words));
  return line;
}

function search(typed) {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  const fits = texts
    .map((page) => [fit(page, words), page])
    .filter(([sum]) => sum > 0)
    .sort(([one], [other]) => other - one);
  const list = document.createElement("ul");
  list.append(...fits.slice(0, MOST).map(([, page]) => entry(page, words)));
  const said = document.createElement("p");
  said.textContent = fits.length === 1 ? "1 page" : `${fits.length} pages`;
  found.replaceChildren(said, list);
}

form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => search(event.target.value));
