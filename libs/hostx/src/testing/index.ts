export { startHost } from './start-host.js';
export { Recorder } from './recorder.js';
export { probeService } from './probe-service.js';
export { fakeClock } from '@apix/contracts/testing';
export type { StartHostOptions, StartedHost } from './start-host.js';
export type { RecordedEvent, RecordedKind } from './recorder.js';
export type { FakeClock } from '@apix/contracts/testing';
