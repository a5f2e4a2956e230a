export { startPolicyServer } from './policy-server.js';
export type {
  PolicyAnswer,
  PolicyServer,
  PolicyServerOptions,
  TestCaller,
} from './policy-server.js';
