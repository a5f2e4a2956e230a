export { ValidationModule } from '../nest/validation.module.js';
export type { ValidationOptions } from './validation-stage.js';

export { validationStage } from './validation-stage.js';
