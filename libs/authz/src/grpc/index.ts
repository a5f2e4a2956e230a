export { authzInterceptor } from './authz-interceptor.js';
