import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';

type MetricsRecorder = ReturnType<ServerInterceptingCallInterface['getMetricsRecorder']>;

const ignore = (): void => {};

// grpc-js does not export the class, and asks for its surface only.
/** Of calls without a load balancer to report to. */
export const NO_RECORDER = {
  recordRequestCostMetric: ignore,
  recordUtilizationMetric: ignore,
  recordNamedMetric: ignore,
  recordCPUUtilizationMetric: ignore,
  recordMemoryUtilizationMetric: ignore,
  recordApplicationUtilizationMetric: ignore,
  recordQpsMetric: ignore,
  recordEpsMetric: ignore,
} as unknown as MetricsRecorder;
