import { Module } from '@nestjs/common';
import { CrmModule } from '../crm/crm.module.js';
import { AddSuppressionHandler } from './add-suppression.js';
import { RemoveSuppressionHandler } from './remove-suppression.js';
import { SuppressionsController } from './suppressions.controller.js';
import { SuppressionQueries } from './suppressions.queries.js';
import { Suppressions } from './suppressions.js';
import { UnsubscribeController } from './unsubscribe.controller.js';

/** Addresses and numbers that nothing more is sent to. */
@Module({
  imports: [CrmModule],
  controllers: [SuppressionsController, UnsubscribeController],
  providers: [SuppressionQueries, Suppressions, AddSuppressionHandler, RemoveSuppressionHandler],
  exports: [Suppressions],
})
export class SuppressionsModule {}
