import type { DescService } from '@bufbuild/protobuf';
import { Inject } from '@nestjs/common';

/** The injection token of the client of a service; for `overrideProvider` in tests. */
export function clientToken(service: DescService, name = ''): symbol {
  const suffix = name === '' ? '' : `#${name}`;
  return Symbol.for(`apix.grpc.Client:${service.typeName}${suffix}`);
}

/**
 * Injects the client of `GrpcClientModule.forFeature(Catalog, …)`:
 * `@InjectClient(Catalog) catalog: Client<typeof Catalog>`.
 *
 * @param name of one of several clients of a service. Default: the one without a name.
 */
export function InjectClient(
  service: DescService,
  name?: string,
): ParameterDecorator & PropertyDecorator {
  return Inject(clientToken(service, name));
}
