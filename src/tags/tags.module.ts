import { Module } from '@nestjs/common';
import { ChangeTagsHandler } from './change-tags.js';
import { CreateTagHandler } from './create-tag.js';
import { DeleteTagHandler } from './delete-tag.js';
import { TagCarriers } from './tag-carriers.js';
import { TagNames } from './tag-names.js';
import { TagSpread } from './tag-spread.js';
import { TagSpreadQueries } from './tag-spread.queries.js';
import { TagSpreadWorker } from './tag-spread.worker.js';
import { TagsController } from './tags.controller.js';
import { TagQueries } from './tags.queries.js';
import { UpdateTagHandler } from './update-tag.js';

/** Tags, and which records have them. */
@Module({
  controllers: [TagsController],
  providers: [
    TagCarriers,
    TagNames,
    TagQueries,
    TagSpread,
    TagSpreadQueries,
    TagSpreadWorker,
    CreateTagHandler,
    UpdateTagHandler,
    DeleteTagHandler,
    ChangeTagsHandler,
  ],
  exports: [TagCarriers, TagQueries],
})
export class TagsModule {}
