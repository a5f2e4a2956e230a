export { nestAdd } from './nest-add.js';
export { nestAddReport } from './report.js';
export { service } from './service.js';
