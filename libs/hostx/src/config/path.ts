/** The place of a value in the configuration: keys of objects and indices of arrays. */
export type Path = readonly (string | number)[];

/** `http.port`, `sinks[0].level`. */
export function pathText(path: Path): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text === '' ? 'the configuration' : text.replace(/^\./, '');
}

/** Whether `path` is `start` or leads inside it. */
export function isWithin(path: Path, start: Path): boolean {
  return start.every((part, at) => String(path[at]) === String(part));
}

/** The name of the variable that sets a path: `http.keepAlive` is `APP_HTTP__KEEP_ALIVE`. */
export function variableOf(path: Path, prefix: string): string {
  const parts = path.map((part) =>
    String(part)
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toUpperCase(),
  );
  return prefix + parts.join('__');
}

/** A key in the form that is compared with a part of a variable's name: without case, `_` and `-`. */
export function plainKey(key: string): string {
  return key.replace(/[_-]/g, '').toLowerCase();
}
