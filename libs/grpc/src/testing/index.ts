export { fakeClient } from './fake-client.js';
export type { FakeService } from './fake-service.js';
