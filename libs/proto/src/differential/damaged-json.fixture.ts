import type { Dice } from './dice.fixture.js';

const TOKEN = /"(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*|[A-Za-z]+|\s+|[^]/g;
const PIECES = Array.from('{}[]",:\\ \n0-+.eE\u0000aßn').concat([
  '\ufeff',
  '"a":1,',
  ',,',
  'null',
  '//',
  '\ud800',
]);
const WORDS = ['null', 'true', 'false', 'NaN', 'Infinity', 'nul', 'True', 'undefined'];
const OTHER_TOKENS = ['{}', '[]', '""', '0', '-1', '1e999', '"NaN"', '"@type"', '"value"'];
const SPACES = ['\u00a0', '\u2028', '\ufeff', '\f', '\t', '\u0085'];

/** Damages a JSON text once: in one of its tokens, or in characters wherever they are. */
export function damaged(text: string, dice: Dice): string {
  const tokens = text.match(TOKEN) ?? [''];
  const places = tokens.flatMap((token, at) => (/^\s*$/.test(token) ? [] : [at]));
  if (places.length === 0 || dice.chance(0.3)) return withOtherCharacters(text, dice);
  const at = dice.pick(places);
  const other = dice.pick(places);
  const token = tokens[at]!;
  switch (dice.int(0, 6)) {
    case 0:
      tokens[at] = '';
      break;
    case 1:
      tokens[at] = token + token;
      break;
    case 2:
      [tokens[at], tokens[other]] = [tokens[other]!, token];
      break;
    case 3:
      tokens[at] = tokens[other]!;
      break;
    case 4:
      tokens[at] = dice.pick([...WORDS, ...OTHER_TOKENS]);
      break;
    case 5:
      tokens[at] = dice.pick([`[${token}]`, `{"a":${token}}`, dice.pick(SPACES) + token]);
      break;
    default:
      tokens[at] = changed(token, dice);
  }
  return tokens.join('');
}

function changed(token: string, dice: Dice): string {
  if (token.startsWith('"')) {
    const inside = token.slice(1, -1);
    return dice.pick([
      inside,
      `"${inside} "`,
      `" ${inside}"`,
      `"${inside.toUpperCase()}"`,
      `"${withOtherCharacters(inside, dice)}"`,
    ]);
  }
  if (/^[-\d]/.test(token)) {
    const more = dice.pick(['0', '.0', 'e0', '.', 'e', 'E+1', '.5', '-', 'n', '_0']);
    return dice.pick([`"${token}"`, `-${token}`, `0${token}`, `+${token}`, token + more]);
  }
  return dice.pick([`"${token}"`, token.toUpperCase(), withOtherCharacters(token, dice)]);
}

function withOtherCharacters(text: string, dice: Dice): string {
  const at = dice.int(0, text.length);
  const roll = dice.int(0, 3);
  if (roll === 0) return text.slice(0, at);
  if (roll === 1) return text.slice(0, at) + text.slice(at + dice.int(1, 3));
  const piece = dice.pick(PIECES);
  return text.slice(0, at) + piece + text.slice(roll === 2 ? at : at + 1);
}
