import {
  type Resource,
  defaultResource,
  detectResources,
  envDetector,
} from '@opentelemetry/resources';

/** The resource of the SDK, with OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which the SDK itself does not read. */
export function environmentResource(): Resource {
  return defaultResource().merge(detectResources({ detectors: [envDetector] }));
}
