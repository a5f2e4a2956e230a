import { type FieldRule, RULES } from './field-rules.js';

/** What to write instead of an expression that has a form of another tool; null for any other. */
export function dialectHint(expression: string): string | null {
  const zone = /^(?:CRON_TZ|TZ)=(\S+)\s+(.+)$/i.exec(expression);
  if (zone !== null) {
    return `a time zone is not part of an expression; write "${zone[2]}" with the option timeZone: "${zone[1]}"`;
  }
  const interval = /^@every\s+(\S+)$/i.exec(expression);
  if (interval !== null) {
    return `an interval is not an expression; use every('name', '${interval[1]}', …) or @Every('name', '${interval[1]}')`;
  }
  if (/^\d+(?:ms|s|m|h|d)$/.test(expression)) {
    return `a duration is not an expression; use every('name', '${expression}', …) or @Every('name', '${expression}')`;
  }
  if (/^@(?:reboot|startup)$/i.test(expression)) {
    return 'a start is not a time; use a startup task or @OnStarted(), or the option runImmediately of a job';
  }
  const call = /^(?:cron|rate)\((.*)\)$/i.exec(expression);
  if (call !== null) return `write only what is inside the parentheses: "${call[1]}"`;
  const time = /(?:^|\s)(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(expression);
  if (time !== null) {
    return `a time of day is written as minute and hour: "${Number(time[2])} ${Number(time[1])} * * *"`;
  }
  return null;
}

/** What to do about the wrong number of fields; empty where nothing is known. */
export function fieldsHint(fields: readonly string[]): string {
  if (fields.some((field) => field.startsWith(',') || field.endsWith(','))) {
    return '; a list such as 1,2 must not have spaces';
  }
  const plain = (from: number, to: number): string =>
    `"${fields
      .slice(from, to)
      .map((field) => (field === '?' ? '*' : field))
      .join(' ')}"`;
  const [seconds = ''] = fields;
  if (fields.length === 7) {
    return `; seconds and years are not supported; without them it is ${plain(1, 6)}`;
  }
  if (fields.length !== 6) return '';
  // Those of AWS have a year at the end, and "?" in one of the places that are days then.
  if (fields[2] === '?' || fields[4] === '?' || /^\d{4}$/.test(fields[5]!)) {
    return `; years are not supported; without the last field it is ${plain(0, 5)}`;
  }
  const step = /^\*\/(\d+)$/.exec(seconds)?.[1] ?? (seconds === '*' ? '1' : null);
  if (step !== null) {
    return `; seconds are not supported; use an interval such as every('name', '${step}s', …) or @Every('name', '${step}s')`;
  }
  return `; seconds other than 0 are not supported; without them it is ${plain(1, 6)}`;
}

/** English names that are longer than those above; shortened ones such as `tues` begin one of them. */
const FULL_NAMES = [
  'january',
  'february',
  'march',
  'april',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];
/** What to write instead of a term that is neither a number nor a name of the field; null where nothing is known. */
export function termHint(text: string, rule: FieldRule): string | null {
  if (text === '?') return 'write "*" instead of "?"';
  if (text === 'H' || text.startsWith('H(') || text.includes('~')) {
    return `"${text}" is a random value; write a number, and use the option jitter`;
  }
  if (/^(?:L|LW|\d*[WL]|(?:sun|mon|tue|wed|thu|fri|sat)L)$/i.test(text)) {
    return `last days and working days ("${text}") are not supported; use a scheduleFunc`;
  }
  if (text.includes('#')) {
    return `the nth day of a month ("${text}") is not supported; use a scheduleFunc`;
  }
  const short = text.slice(0, 3).toLowerCase();
  const isName = text.length <= 3 || FULL_NAMES.some((name) => name.startsWith(text.toLowerCase()));
  const owner = isName ? RULES.find(({ names }) => names.includes(short)) : undefined;
  if (owner === undefined) return null;
  if (owner.name !== rule.name) return `"${text}" belongs in the field of the ${owner.name}`;
  return `write "${short}" instead of "${text}"`;
}
