/** Methods called by Nest or by the language: not work of the app. */
const OF_OTHERS: ReadonlySet<PropertyKey> = new Set([
  'constructor',
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
  'then',
  'toJSON',
  'toString',
  'valueOf',
]);

/** The methods that a class itself declares: no accessors, no symbols, no hooks of Nest. */
export function ownMethods(holder: object): [name: string, descriptor: PropertyDescriptor][] {
  return Object.entries(Object.getOwnPropertyDescriptors(holder)).filter(
    ([name, { value }]) => typeof value === 'function' && !OF_OTHERS.has(name),
  );
}

/** The methods that an object has from its class and those it extends, each as the object has it. */
export function inheritedMethods(prototype: object): Map<string, PropertyDescriptor> {
  const found = new Map<string, PropertyDescriptor>();
  const seen = new Set<string>();
  for (
    let at: object | null = prototype;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    for (const [name, descriptor] of ownMethods(at)) {
      if (!seen.has(name)) found.set(name, descriptor);
    }
    for (const name of Object.getOwnPropertyNames(at)) seen.add(name);
  }
  return found;
}

/** A class may have a static member that hides its name. */
export function classNameOf(type: object): string {
  const { name } = type as { readonly name?: unknown };
  return typeof name === 'string' && name !== '' ? name : 'anonymous';
}
