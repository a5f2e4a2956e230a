/**
 * Control characters except tab and line feed: C0, delete and C1, and characters that hide text or change
 * its direction.
 */
const CONTROLS = /[^\t\n -~\u00a0-\u2027\u202f-\u2065\u206a-\uffff]/g;
const LINE_BREAK = /\n/g;
const TAB_OR_BREAK = /[\t\n]/g;
/** A field's text that needs no quotes. */
const WORD = /^[^\s"=\\]+$/;

/** A text for a human reader: control characters are escaped, and lines after the first are indented. */
export function consoleText(text: string): string {
  return isPrintable(text) ? text : text.replace(CONTROLS, escaped).replace(LINE_BREAK, '\n    ');
}

/** A text that stays on its line: line breaks and tabs are escaped too. */
export function consoleLine(text: string): string {
  return isPrintable(text) ? text : text.replace(CONTROLS, escaped).replace(TAB_OR_BREAK, escaped);
}

/** A name or value in `name=value`: in quotes where its end would not be clear without them. */
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
