import { isTimestamp, CelUint } from '../values/cel-value.js';
import { formatTimestamp } from '../values/time.js';
import type { RecordFilter } from './record-filter.js';

/** A filter in words, as CEL writes it: `customer == "ada" && state != 3`; `everything` and `nothing`. */
export function describeFilter(filter: RecordFilter): string {
  return described(filter, false);
}

function described(filter: RecordFilter, isPart: boolean): string {
  switch (filter.kind) {
    case 'everything':
    case 'nothing':
      return filter.kind;
    case 'error':
      return 'nothing, as its value is an error';
    case 'not':
      return `!${described(filter.part, true)}`;
    case 'and':
    case 'or': {
      const word = filter.kind === 'and' ? ' && ' : ' || ';
      return grouped(filter.parts.map((part) => described(part, true)).join(word), isPart);
    }
    case 'choice': {
      const [test, yes, no] = [filter.test, filter.yes, filter.no].map((each) =>
        described(each, true),
      );
      return grouped(`${test} ? ${yes} : ${no}`, isPart);
    }
    case 'compare': {
      const { field, operator, value } = filter;
      return grouped(`${field.path} ${operator} ${shown(value)}`, isPart);
    }
    case 'in':
      return grouped(`${filter.field.path} in [${filter.values.map(shown).join(', ')}]`, isPart);
    case 'includes':
      return grouped(`${shown(filter.value)} in ${filter.field.path}`, isPart);
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return `${filter.field.path}.${filter.kind}(${shown(filter.value)})`;
    case 'isSet':
      return `has(${filter.field.path})`;
  }
}

function grouped(text: string, isPart: boolean): string {
  return isPart ? `(${text})` : text;
}

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return `b"${Buffer.from(value).toString('latin1')}"`;
  if (value instanceof CelUint) return `${value.value}u`;
  if (isTimestamp(value)) return `timestamp("${formatTimestamp(value)}")`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
