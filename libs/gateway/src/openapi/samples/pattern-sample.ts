/** The characters used for a class: letters and digits first, because they are easiest to read. */
const ALPHABET = [
  ...Array.from('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
  ...Array.from('-_./:+ @#%&=~,;!?\'"$*()[]{}<>|^\\`\t\n'),
];

/** An unbounded count such as `{2,}` is limited to the wanted length. */
interface Repeat {
  readonly least: number;
  readonly most: number;
}

/**
 * A text that matches a regular expression, as short and plain as it gets; undefined for one that is not understood,
 * such as with look-around. RE2's syntax, as far as rules for texts use it.
 *
 * @param length how often to repeat what may come any number of times.
 */
export function patternSample(pattern: string, length = 3): string | undefined {
  try {
    const text = new PatternReader(pattern, length).read();
    return expressionOf(pattern).test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** @throws SyntaxError for what RE2 has and JavaScript has not. */
export function expressionOf(pattern: string): RegExp {
  const own = pattern.replaceAll('(?P<', '(?<').replaceAll(/\\A/g, '^').replaceAll(/\\z/g, '$');
  return new RegExp(own, 'u');
}

/** Walks through a pattern once and writes while it reads. */
class PatternReader {
  #at = 0;

  constructor(
    private readonly pattern: string,
    private readonly length: number,
  ) {}

  read(): string {
    const text = this.#alternatives();
    if (this.#at < this.pattern.length) throw new SyntaxError('a bracket is closed twice');
    return text;
  }

  /** Of several, the first. */
  #alternatives(): string {
    let first: string | undefined;
    do {
      const text = this.#sequence();
      first ??= text;
    } while (this.#take('|'));
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.pattern.length && !'|)'.includes(this.#peek())) {
      const begin = this.#at;
      const once = this.#atom(0);
      const repeat = this.#repeat();
      if (repeat === undefined) {
        text += once;
        continue;
      }
      const after = this.#at;
      const count = Math.min(
        repeat.most,
        Math.max(repeat.least, repeat.most === 1 ? 1 : this.length),
      );
      for (let turn = 0; turn < count; turn += 1) {
        this.#at = begin;
        text += this.#atom(turn);
      }
      this.#at = after;
    }
    return text;
  }

  /** @param turn the how manieth of a repetition: classes give another character each time. */
  #atom(turn: number): string {
    const character = this.#next();
    switch (character) {
      case '^':
      case '$':
        return '';
      case '.':
        return ALPHABET[turn % 26]!;
      case '(':
        return this.#group();
      case '[':
        return this.#characterClass(turn);
      case '\\':
        return this.#escape(turn);
      default:
        return character;
    }
  }

  #group(): string {
    if (this.#take('?')) {
      const flags = /^(?:P?<\w+>|:)/.exec(this.pattern.slice(this.#at));
      if (flags === null) throw new SyntaxError('a group of this kind is not understood');
      this.#at += flags[0].length;
    }
    const text = this.#alternatives();
    if (!this.#take(')')) throw new SyntaxError('a bracket is open');
    return text;
  }

  /** Left to the engine itself: the class is cut out, and characters are tried. */
  #characterClass(turn: number): string {
    const begin = this.#at - 1;
    this.#take('^');
    this.#take(']');
    for (let next = this.#next(); next !== ']'; next = this.#next()) {
      if (next === '\\') this.#next();
    }
    return fitting(this.pattern.slice(begin, this.#at), turn);
  }

  #escape(turn: number): string {
    const kind = this.#next();
    if ('bBAz'.includes(kind)) return '';
    if (/[dDwWsS]/.test(kind)) return fitting(`\\${kind}`, turn);
    if (/[pPxu]/.test(kind)) {
      const rest = /^\{[^}]*\}/.exec(this.pattern.slice(this.#at))?.[0] ?? '';
      const digits = { x: 2, u: 4 }[kind] ?? 0;
      const length = rest === '' ? digits : rest.length;
      const text = `\\${kind}${this.pattern.slice(this.#at, this.#at + length)}`;
      this.#at += length;
      return fitting(text, turn);
    }
    const control = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }[kind];
    return control ?? kind;
  }

  #repeat(): Repeat | undefined {
    const [text, least, comma, most] =
      /^(?:[?*+]|\{(\d+)(,?)(\d*)\})\??/.exec(this.pattern.slice(this.#at)) ?? [];
    if (text === undefined) return undefined;
    this.#at += text.length;
    if (text.startsWith('?')) return { least: 0, most: 1 };
    if (least === undefined) return { least: text.startsWith('+') ? 1 : 0, most: Infinity };
    const count = Number(least);
    if (comma === '') return { least: count, most: count };
    return { least: count, most: most === '' ? Infinity : Number(most) };
  }

  #peek(): string {
    return this.pattern[this.#at] ?? '';
  }

  #take(character: string): boolean {
    const isNext = this.#peek() === character;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #next(): string {
    const character = String.fromCodePoint(this.pattern.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.pattern.length) throw new SyntaxError('the pattern ends too early');
    this.#at += character.length;
    return character;
  }
}

function fitting(characterClass: string, turn: number): string {
  const test = new RegExp(`^${characterClass}$`, 'u');
  const characters = ALPHABET.filter((character) => test.test(character));
  if (characters.length === 0) throw new SyntaxError('no plain character fits');
  // Of letters and digits mixed the letters alone: `abc`, not `yz0`.
  return characters[turn % Math.min(characters.length, 26)]!;
}
