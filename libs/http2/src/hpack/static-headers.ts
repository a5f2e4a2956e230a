/** A header of a table; `size` as RFC 7541, 4.1 counts it. */
export interface TableEntry {
  readonly name: string;
  readonly value: string;
  readonly size: number;
}

/** The overhead of an entry, in addition to its name and value (RFC 7541, 4.1). */
const OVERHEAD = 32;

export function tableEntry(name: string, value: string): TableEntry {
  return { name, value, size: name.length + value.length + OVERHEAD };
}

/** RFC 7541, appendix A, from index 1. */
export const STATIC_HEADERS: readonly TableEntry[] = [
  tableEntry(':authority', ''),
  tableEntry(':method', 'GET'),
  tableEntry(':method', 'POST'),
  tableEntry(':path', '/'),
  tableEntry(':path', '/index.html'),
  tableEntry(':scheme', 'http'),
  tableEntry(':scheme', 'https'),
  ...['200', '204', '206', '304', '400', '404', '500'].map((it) => tableEntry(':status', it)),
  tableEntry('accept-charset', ''),
  tableEntry('accept-encoding', 'gzip, deflate'),
  ...[
    'accept-language',
    'accept-ranges',
    'accept',
    'access-control-allow-origin',
    'age',
    'allow',
    'authorization',
    'cache-control',
    'content-disposition',
    'content-encoding',
    'content-language',
    'content-length',
    'content-location',
    'content-range',
    'content-type',
    'cookie',
    'date',
    'etag',
    'expect',
    'expires',
    'from',
    'host',
    'if-match',
    'if-modified-since',
    'if-none-match',
    'if-range',
    'if-unmodified-since',
    'last-modified',
    'link',
    'location',
    'max-forwards',
    'proxy-authenticate',
    'proxy-authorization',
    'range',
    'referer',
    'refresh',
    'retry-after',
    'server',
    'set-cookie',
    'strict-transport-security',
    'transfer-encoding',
    'user-agent',
    'vary',
    'via',
    'www-authenticate',
  ].map((name) => tableEntry(name, '')),
];
