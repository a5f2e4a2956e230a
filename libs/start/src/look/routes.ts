import type { AppSources } from './app-sources.js';

/** A decorator with the paths in its brackets. */
const CONTROLLER = /@Controller\s*\(([^)]*)\)/g;
const HANDLER = /@(?:Get|Post|Put|Patch|Delete|All|Head|Options)\s*\(([^)]*)\)/g;
const STRING = /(?<!version:\s*)['"`]([^'"`]*)['"`]/g;

/** A route of the app's own that a gateway would answer instead. */
export interface TakenRoute {
  readonly file: string;
  /** The HTTP path of the method in the .proto files. */
  readonly rule: string;
}

/** @param rules HTTP paths such as `/v1/orders/{id}`. */
export function takenRouteOf(
  sources: AppSources,
  rules: readonly string[],
): TakenRoute | undefined {
  const isVersioned = sources.fileWith(/\benableVersioning\b/) !== undefined;
  for (const rule of rules) {
    const path = segmentsOf(rule);
    const forms = isVersioned && /^v\d+$/.test(path[0] ?? '') ? [path, path.slice(1)] : [path];
    const file = sources.fileThat((text) =>
      routesOf(text).some((route) => forms.some((form) => mayMatch(form, route))),
    );
    if (file !== undefined) return { file, rule };
  }
  return undefined;
}

function routesOf(text: string): string[][] {
  const starts = [...text.matchAll(CONTROLLER)];
  return starts.flatMap((start, index) => {
    const body = text.slice(start.index, starts[index + 1]?.index);
    const handlers = [...body.matchAll(HANDLER)].flatMap(([, given]) => pathsIn(given!));
    return pathsIn(start[1]!).flatMap((base) =>
      handlers.map((handler) => segmentsOf(`${base}/${handler}`)),
    );
  });
}

function pathsIn(given: string): string[] {
  const paths = [...given.matchAll(STRING)].map(([, path]) => path!);
  return paths.length > 0 ? paths : [''];
}

/** `{name=shelves/*}` has the segments of its pattern; the verb after a colon is part of the last segment. */
function segmentsOf(path: string): string[] {
  const plain = path.replaceAll(/\{[^}=]*\}/g, '*').replaceAll(/\{[^}=]*=([^}]*)\}/g, '$1');
  return plain.split('/').filter((segment) => segment !== '');
}

/** Whether a path may match both; a route with a wildcard gives way without harm. */
function mayMatch(rule: readonly string[], route: readonly string[]): boolean {
  if (rule.at(-1) === '**') {
    return mayMatch(rule.slice(0, -1), route.slice(0, rule.length - 1));
  }
  return (
    rule.length === route.length &&
    rule.every((segment, at) => {
      const other = route[at]!;
      return segment === other || segment === '*' || /^:\w+$/.test(other);
    })
  );
}
