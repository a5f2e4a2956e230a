import type { WireCause } from './wire-causes.fixture.js';
import type { Way } from './ways.fixture.js';

/** Something that one side takes and the other does not, recognised by what was given. */
export interface Refusal {
  /** As in the documentation. */
  readonly name: string;
  readonly ways: readonly Way[];
  /** Who refuses it. */
  readonly by: 'us' | 'protobuf-es';
  /** True where the cause is in what was given, and what the error says is about it. */
  isIn(given: Given, says?: string): boolean;
  /** What the error says. */
  readonly says: RegExp;
}

/** What was given, as text: JSON, or a message as JSON writes it. */
export interface Given {
  /** Every text in quotes, member names too, escapes resolved where they can be. */
  readonly texts: readonly string[];
  /** The names of members whose value is a text. */
  readonly namesOfTexts?: readonly string[];
  /** Every number that is not in quotes, as it was written. */
  readonly numbers: readonly string[];
  /** Some member that is not an extension has the value null, or an extension has. */
  readonly hasNull?: boolean;
  readonly hasNullExtension?: boolean;
  /** Whether it is a message, which may hold an Any of any type, or its bytes. */
  readonly isMessage?: boolean;
  /** Of a message on the wire. */
  readonly wireCause?: WireCause | undefined;
  /** A message on the wire that protobuf-es reads and would not write. */
  readonly lacksRequired?: boolean;
}

const FROM_JSON: readonly Way[] = ['readJson', 'jsonToWire'];
const FROM_WIRE: readonly Way[] = ['readWire', 'wireToJson'];
const NULL_EXTENSION = 'null leaves an extension unset';
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const NAME_OF_TEXT = /("(?:[^"\\]|\\[^])*")\s*:\s*"/g;
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/;

export const REFUSALS: readonly Refusal[] = [
  {
    name: 'a date that the calendar does not have, or the hour 24',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts }) => texts.some(isImpossibleTime),
    says: /RFC 3339/,
  },
  {
    name: 'a number in quotes that is not written as JSON writes numbers',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts }) =>
      texts.some((text) => Number.isFinite(Number(withoutZeros(text))) && !JSON_NUMBER.test(text)),
    says: /expected|invalid/,
  },
  {
    name: 'a duration with something after its s',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts }) => texts.some((text) => /^-?\d+(\.\d+)?s[^]/.test(text)),
    says: /google\.protobuf\.Duration/,
  },
  {
    name: 'half of a surrogate pair',
    ways: [...FROM_JSON, 'writeJson', 'writeWire', 'transfer', 'wireToJson'],
    by: 'us',
    isIn: ({ texts }) => texts.some((text) => !text.isWellFormed()),
    says: /UTF-?(8|16)|surrogate|well-formed/i,
  },
  {
    name: 'white space inside of base64',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts }) => texts.some((text) => /\s/.test(text)),
    says: /base64/,
  },
  {
    name: 'base64 whose padding is not whole, or not at its end',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts }) => texts.some((text) => text.includes('=')),
    says: /base64/,
  },
  {
    name: 'an integer with a fraction too small for a double',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts, numbers }) => [...texts, ...numbers].some(isTiny),
    says: /fraction|integer/,
  },
  {
    name: 'an integer just beyond 64 bits as a number, which a double rounds into them',
    ways: FROM_JSON,
    by: 'us',
    isIn: hasManyDigits,
    says: /out of range/,
  },
  {
    name: 'an Any of a type with a JSON form of its own, without "value" or with more',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts }) => texts.includes('@type'),
    says: /next to "@type"/,
  },
  {
    name: 'an Any of a type with a member "@type" of its own',
    ways: ['writeJson', 'wireToJson'],
    by: 'us',
    isIn: ({ isMessage }) => isMessage === true,
    says: /has a member "@type" of its own/,
  },
  {
    name: 'an extension of another message',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts }) => texts.some((text) => /^\[.+\]$/.test(text)),
    says: /has no field "\[/,
  },
  {
    // It looks at no key of which it ignores the value.
    name: 'a wrong key of a map beside a name of an enum that is ignored',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ namesOfTexts = [] }, says = '') => {
      const culprit = /got "?([^"]*)"?$|(\S+) is out of range/.exec(says);
      return culprit !== null && namesOfTexts.includes(culprit[1] ?? culprit[2]!);
    },
    says: /true or false as key|expected number \(|without a fraction|is out of range/,
  },
  {
    name: 'null for a required field',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ hasNull }) => hasNull === true,
    says: /the required field is not set/,
  },
  {
    name: 'bytes without a required field',
    ways: ['readWire'],
    by: 'us',
    isIn: ({ lacksRequired }) => lacksRequired === true,
    says: /the required field \$.* is not set/s,
  },
  {
    name: 'a number beyond the range of a double',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ numbers }) => numbers.some((text) => Math.abs(Number(text)) === Infinity),
    says: /out of range/,
  },
  {
    name: 'an integer of more than 64 characters',
    ways: FROM_JSON,
    by: 'us',
    isIn: ({ texts, numbers }) =>
      [...texts, ...numbers].some((text) => text.length > 64 && Number(text) % 1 === 0),
    says: /integer|fraction|out of range/,
  },
  {
    name: 'a 64-bit integer in quotes with an exponent or a fraction of zero',
    ways: FROM_JSON,
    by: 'protobuf-es',
    isIn: ({ texts }) =>
      texts.some((text) => /[.eE]/.test(text) && JSON_NUMBER.test(text) && Number(text) % 1 === 0),
    says: /out of range|expected bigint|invalid u?int64/,
  },
  {
    name: 'a varint of more than ten bytes',
    ways: FROM_WIRE,
    by: 'us',
    isIn: ({ wireCause }) => wireCause === 'long varint',
    says: /varint/,
  },
  {
    name: 'what goes beyond the end of what holds it on the wire',
    ways: FROM_WIRE,
    by: 'us',
    isIn: ({ wireCause }) => wireCause === 'overrun',
    says: /end/,
  },
  {
    name: 'a field with the wire type of another kind',
    ways: FROM_WIRE,
    by: 'us',
    isIn: ({ wireCause }) => wireCause === 'wire type',
    // A known field that begins or ends a group, too.
    says: /wire type|end of a group|group without its end/,
  },
  {
    name: 'the largest 64-bit integers as numbers, which a double rounds up',
    ways: FROM_JSON,
    by: 'protobuf-es',
    isIn: hasManyDigits,
    says: /out of range|invalid u?int64/,
  },
  {
    // It takes the null for an empty message, which it cannot write without its required fields.
    name: NULL_EXTENSION,
    ways: FROM_JSON,
    by: 'protobuf-es',
    isIn: ({ hasNullExtension }) => hasNullExtension === true,
    says: /to binary: required field not set/,
  },
];

/** As protobuf-es takes the zeros before a key of 64 bits away, with a prefix behind them. */
function withoutZeros(text: string): string {
  return text.replace(/^(-?)0+(?=\d)/, '$1');
}

/** It has a fraction, for which a double has no digits. */
function isTiny(text: string): boolean {
  const match = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null || Number(text) % 1 !== 0) return false;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const significant = digits.replace(/0+$/, '');
  const places = fraction.length - (digits.length - significant.length) - Number(exponent);
  return significant !== '' && places > 0;
}

/** Numbers that a double may not hold as they were written. */
function hasManyDigits({ numbers }: Given): boolean {
  return numbers.some((text) => !(Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER));
}

/** What is in a JSON text, right or wrong. */
export function givenIn(json: string): Given {
  const texts: string[] = [];
  const rest = json.replaceAll(/"(?:[^"\\]|\\[^])*"/g, (quoted) => {
    texts.push(resolved(quoted));
    return '""';
  });
  const others = json.replaceAll(/"\[[^"]*\]"\s*:\s*null/g, '""');
  const hasNullExtension = others !== json;
  const hasNull = /:\s*null/.test(others);
  const namesOfTexts = Array.from(json.matchAll(NAME_OF_TEXT), ([, name]) => resolved(name!));
  const numbers = rest.match(/-?\d[\d.eE+-]*/g) ?? [];
  return { texts, namesOfTexts, hasNull, hasNullExtension, numbers };
}

function resolved(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}

function isImpossibleTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [year, month, day, hour] = match.slice(1).map(Number) as [number, number, number, number];
  // The days of a month of the same length in a year that `Date` takes as it is.
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month < 1 || month > 12 || day < 1 || day > days || hour > 23;
}
