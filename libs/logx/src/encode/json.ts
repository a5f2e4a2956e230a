import type { FieldStyle } from '../event/scope.js';
import { jsonOf, quoteJson } from '../value/json-text.js';
import { flatFormat } from './flat.js';
import type { FlatDialect } from './flat-dialect.js';

const STYLE: FieldStyle = {
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

/** The `json` format: one flat object per line, with the field names of the specification. */
export const jsonEncoder = flatFormat(JSON_DIALECT);
