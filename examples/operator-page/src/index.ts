export { type CaseReason, closePassingCase, openCase, orderCases } from './cases.js';
export { createWebhookLog, type WebhookLog } from './createWebhookLog.js';
export { deleteFailure, recordFailure } from './deliveryFailures.js';
export type { OperatorShop } from './describeOrder.js';
export { operatorRoutes } from './operatorRoutes.js';
export { type OperatorService, operatorService } from './operatorService.js';
export { type OperatorSessions, operatorSessions } from './operatorSessions.js';
export { createOperatorTables, type OperatorTables } from './operatorTables.js';
