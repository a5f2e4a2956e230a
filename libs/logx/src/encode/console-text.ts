/** Controls but tab and line feed: C0, delete and C1, and what hides or turns text around. */
const CONTROLS = /[^\t\n -~\u00a0-\u2027\u202f-\u2065\u206a-\uffff]/g;
const LINE_BREAK = /\n/g;
/** What can stand in a field without quotes. */
const WORD = /^[^\s"=\\]+$/;

/** A text for the eyes: controls are escaped, and lines after the first are indented. */
export function consoleText(text: string): string {
  return isPrintable(text) ? text : text.replace(CONTROLS, escaped).replace(LINE_BREAK, '\n    ');
}

/** A name or value in `name=value`: in quotes where it would not stand out otherwise. */
export function consoleWord(text: string): string {
  const word = WORD.test(text) ? text : JSON.stringify(text);
  return isPrintable(word) ? word : word.replace(CONTROLS, escaped);
}

function isPrintable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126) return false;
  }
  return true;
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
