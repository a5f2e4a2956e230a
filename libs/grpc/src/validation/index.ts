export { ValidationModule } from '../nest/validation.module.js';
export { VALIDATION_OPTIONS } from '../nest/tokens.js';
export type { ValidationModuleOptions } from '../nest/validation.module.js';

export { validationStage } from './validation-stage.js';
export type { ValidationStageOptions } from './validation-stage.js';
