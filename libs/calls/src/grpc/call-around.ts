import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';

type AboutConnection =
  | 'getPeer'
  | 'getDeadline'
  | 'getHost'
  | 'getAuthContext'
  | 'getConnectionInfo'
  | 'getMetricsRecorder';

/** A call that stands before another one, and answers about the connection what that one does. */
export abstract class CallAround implements Pick<ServerInterceptingCallInterface, AboutConnection> {
  constructor(protected readonly next: ServerInterceptingCallInterface) {}

  getPeer(): string {
    return this.next.getPeer();
  }

  getDeadline(): ReturnType<ServerInterceptingCallInterface['getDeadline']> {
    return this.next.getDeadline();
  }

  getHost(): string {
    return this.next.getHost();
  }

  getAuthContext(): ReturnType<ServerInterceptingCallInterface['getAuthContext']> {
    return this.next.getAuthContext();
  }

  getConnectionInfo(): ReturnType<ServerInterceptingCallInterface['getConnectionInfo']> {
    return this.next.getConnectionInfo();
  }

  getMetricsRecorder(): ReturnType<ServerInterceptingCallInterface['getMetricsRecorder']> {
    return this.next.getMetricsRecorder();
  }
}
