import {
  type Resource,
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';

/**
 * The resource of the SDK, with OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which the SDK itself does not read;
 * then what was given.
 */
export function environmentResource(given?: Resource, serviceName?: string): Resource {
  const named = serviceName === undefined ? {} : { 'service.name': serviceName };
  return defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(given ?? null)
    .merge(resourceFromAttributes(named));
}
