export { AuthzReport } from '../report/authz-report.js';
export type { WordedRoute } from '../report/worded-routes.js';
