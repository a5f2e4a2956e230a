export { startPolicyServer } from './policy-server.js';
export type { PolicyServer, PolicyServerOptions, TestCaller } from './policy-server.js';
export type { PolicyAnswer } from './guarded-server.js';
