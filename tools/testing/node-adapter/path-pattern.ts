/** How much of a path matches, and the parameters in it; undefined if it does not. */
export type PathPattern = (
  path: string,
) => { readonly length: number; readonly params: Record<string, string> } | undefined;

const TOKEN = /\{|\}|\*(\w*)|:(\w+)|[^{}*:]+/g;

/** A path in the syntax of Nest's routes: `:name`, `*name`, `{optional}`; raw, in any case, a slash at its end or not. */
export function exactly(path: string): PathPattern {
  return compile(path, '/?$');
}

/** The path and those below it. */
export function below(path: string): PathPattern {
  return compile(path, '(?=/|$)');
}

function compile(path: string, end: string): PathPattern {
  const names: string[] = [];
  const whole = path.startsWith('/') ? path : `/${path}`;
  const source = whole.replace(/\/$/, '').replaceAll(TOKEN, (text, wildcard, name) => {
    if (text === '{') return '(?:';
    if (text === '}') return ')?';
    if (name !== undefined) names.push(name);
    if (name !== undefined) return '([^/]+)';
    if (wildcard === undefined) return text.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&');
    names.push(wildcard === '' ? 'path' : wildcard);
    return wildcard === '' ? '(.*)' : '(.+)';
  });
  const pattern = new RegExp(`^${source}${end}`, 'i');
  return (asked) => {
    const match = pattern.exec(asked);
    if (match === null) return undefined;
    const values = match.slice(1).map((value) => decodeURIComponent(value ?? ''));
    const params = Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
    return { length: match[0].length, params };
  };
}
