import type { CallRequest, Plugin } from './swagger-ui.js';

/** On a parameter of a path that may hold several segments, as `**` does; OpenAPI 3.1 has no word for it. */
const SEVERAL = 'x-several-segments';

type Restore = (url: string) => string;

/** Leaves the slashes in a value that may hold several segments, of which Swagger UI makes `%2F`. */
export class SegmentPaths {
  readonly #restores = new Map<string, Restore>();

  /** Notes the path of each call before it is made. */
  readonly plugin: Plugin = () => ({
    statePlugins: {
      spec: {
        wrapActions: {
          executeRequest:
            (execute: (request: CallRequest) => unknown) => (request: CallRequest) => {
              this.note(request);
              return execute(request);
            },
        },
      },
    },
  });

  /** Notes the path of a call, whose URL is then passed to `intercept`. */
  note({ pathName, method, spec }: CallRequest): void {
    const parameters = spec?.paths?.[pathName]?.[method]?.parameters ?? [];
    const names = parameters.filter((one) => one[SEVERAL] === true).map(({ name }) => name);
    if (names.length > 0) this.#restores.set(pathName, restoreIn(pathName, new Set(names)));
  }

  /** The `requestInterceptor` of Swagger UI, whose URL is also the one in the command for curl. */
  readonly intercept = <T extends { url: string }>(request: T): T => {
    for (const restore of this.#restores.values()) request.url = restore(request.url);
    return request;
  };
}

/** @param names the parameters of the path that may hold several segments. */
export function restoreIn(path: string, names: ReadonlySet<string>): Restore {
  const parts = path.split(/(\{[^}]*\})/);
  const sources = parts.map((part) => (isParameter(part) ? '([^/?]*)' : `(${escaped(part)})`));
  const pattern = new RegExp(`${sources.join('')}(?=$|\\?)`);
  return (url) =>
    url.replace(pattern, (...found: string[]) =>
      parts
        .map((part, index) => {
          const text = found[index + 1] ?? '';
          return isParameter(part) && names.has(part.slice(1, -1))
            ? text.replaceAll(/%2f/gi, '/')
            : text;
        })
        .join(''),
    );
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
