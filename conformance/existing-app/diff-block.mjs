/**
 * Applies a diff as a page shows it: without numbers, its parts set apart by lines with `@@`. The
 * lines that it keeps and takes away must be in the text once.
 */
export function applyDiff(text, diff, file) {
  let changed = text;
  for (const part of diff.split(/^@@.*\n/m).filter((part) => part.trim() !== '')) {
    const lines = part.replace(/\n$/, '').split('\n');
    const before = side(lines, '-');
    const found = `\n${changed}`.split(`\n${before}`).length - 1;
    if (found !== 1) throw new Error(`${file}: ${found} times in the file:\n${before}`);
    changed = `\n${changed}`.replace(`\n${before}`, () => `\n${side(lines, '+')}`).slice(1);
  }
  return changed;
}

/** The same, the other way round. */
export function reversed(diff) {
  return diff.replaceAll(/^[+-]/gm, (sign) => (sign === '+' ? '-' : '+'));
}

function side(lines, sign) {
  return lines
    .filter((line) => line.startsWith(sign) || !/^[+-]/.test(line))
    .map((line) => `${line.slice(1)}\n`)
    .join('');
}
