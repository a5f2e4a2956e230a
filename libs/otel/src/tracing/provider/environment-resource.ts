import type { Resource } from '@opentelemetry/resources';
import type { Sdk } from './sdk.js';

type Detection = Pick<Sdk['resources'], 'defaultResource' | 'detectResources' | 'envDetector'>;

/** The resource of the SDK, with OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which the SDK itself does not read. */
export function environmentResource(resources: Detection): Resource {
  const { envDetector } = resources;
  return resources.defaultResource().merge(resources.detectResources({ detectors: [envDetector] }));
}
