import { MetadataScanner, type ModulesContainer } from '@nestjs/core';

/** The methods of a controller's class, inherited ones too, as Nest finds handlers among them. */
export function methodsOf({ prototype }: { readonly prototype: object }): object[] {
  return new MetadataScanner()
    .getAllMethodNames(prototype)
    .map((name) => Reflect.get(prototype, name) as unknown)
    .filter((it): it is object => typeof it === 'function');
}

/** Whether any controller of an app has a method such as is asked for. */
export function hasControllerMethod(
  modules: ModulesContainer,
  isAskedFor: (method: object) => boolean,
): boolean {
  for (const { controllers } of modules.values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype === 'function' && methodsOf(metatype).some(isAskedFor)) return true;
    }
  }
  return false;
}
