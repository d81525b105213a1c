import { Module } from '@nestjs/common';
import { Upserts } from '#http/records/upsert.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { NoteMessage } from './note-message.js';
import { OpenSaleHandler } from './open-sale.js';
import { PipelineAdminController } from './pipeline.admin.controller.js';
import { QuoteSaleHandler } from './quote-sale.js';
import { ReplacePipelineHandler } from './replace-pipeline.js';
import { SaleLinks } from './sale-links.js';
import { SalesController } from './sales.controller.js';
import { SaleRecords } from './sale-records.js';
import { SalesQueries } from './sales.queries.js';
import { UpdateSaleHandler } from './update-sale.js';
import { DeleteSaleHandler } from './delete-sale.js';
import { RelinkSales } from './relink-sales.js';
import { TagSales } from './tag-sales.js';
import { SalesTimeline } from './sales-timeline.queries.js';

/** Sales, their quotes, and the pipeline they move through. */
@Module({
  imports: [ConversationsModule, TagsModule],
  controllers: [SalesController, PipelineAdminController],
  providers: [
    SalesTimeline,
    Upserts,
    RelinkSales,
    TagSales,
    DeleteSaleHandler,
    SalesQueries,
    SaleRecords,
    SaleLinks,
    NoteMessage,
    OpenSaleHandler,
    UpdateSaleHandler,
    QuoteSaleHandler,
    ReplacePipelineHandler,
  ],
})
export class SalesModule {}
