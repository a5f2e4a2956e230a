/** Where something is reached on the loopback interface. */
export interface Ports {
  readonly http: number;
  /** 0 where nothing speaks gRPC. */
  readonly grpc: number;
  /** Whether `http` speaks TLS. */
  readonly isTls?: boolean;
}
