/** The class name of a provider of figures, checks, jobs or traces, for messages. Never throws. */
export function sourceName(source: object, otherwise: string): string {
  try {
    const { name } = source.constructor as { readonly name?: unknown };
    return typeof name === 'string' && name !== '' && name !== 'Object' ? name : otherwise;
  } catch {
    return otherwise;
  }
}
