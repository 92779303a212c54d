// Names of classes as they are read: what cannot be seen is written out, so that two names never look the same.
const UNSEEN = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u115f\u1160\u3164]/gu;
const JOINERS = /[\u200c\u200d]/u; // are part of words in Persian and Indic scripts, and of emoji
const JOINED = /[\p{Extended_Pictographic}\ufe0f\p{M}\p{Script=Arabic}]$/u;
const TAIL = 9; // letters that are never cut off

export function visibleName(name) {
  return name.replace(UNSEEN, (found, at) => {
    if (JOINERS.test(found) && JOINED.test(name.slice(0, at))) return found;
    return `[U+${found.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

// -> beginning and end of a name: only the beginning is shortened, so that long names with one beginning stay apart.
export function inTwo(name) {
  const letters = [...name];
  return letters.length <= 2 * TAIL ? [name, ""] : [letters.slice(0, -TAIL).join(""), letters.slice(-TAIL).join("")];
}
