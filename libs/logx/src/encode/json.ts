import type { FieldStyle } from '../event/scope.js';
import { jsonOf, quoteJson } from '../value/json-text.js';
import type { Encoder, LineOptions } from './encoder.js';
import { type FlatDialect, flatEncoder } from './flat.js';
import { SLOTS } from './slots.js';
import type { TimeFormat } from './time-format.js';

const STYLE: FieldStyle = {
  slot: SLOTS.json,
  rename: (field) => field,
  write: (field, value) => `,${quoteJson(field)}:${jsonOf(value)}`,
};

const JSON_DIALECT: FlatDialect = {
  style: STYLE,
  head: (level, time) => `{"level":"${level}"${time && `,"time":${time}`}`,
  constant: '',
  messageFirst: false,
  template: ',"@mt":',
  message: ',"message":',
  error: ',"error":',
  stack: ',"stack":',
  caller: ({ file, line }) => `,"caller":${quoteJson(`${file}:${line}`)}`,
};

/** The `json` format: one flat object a line, with the field names of the specification. */
export function jsonEncoder(options: LineOptions, timeFormat: TimeFormat): Encoder {
  return flatEncoder(JSON_DIALECT, options, timeFormat);
}
