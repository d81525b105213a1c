import { Module } from '@nestjs/common';
import { CrmModule } from '../crm/crm.module.js';
import { DeleteTemplateHandler } from './delete-template.js';
import { RenderTemplate } from './render-template.js';
import { ChangeTemplateHandler, CreateTemplateHandler } from './save-template.js';
import { TemplateValues } from './template-values.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesQueries } from './templates.queries.js';
import { Templates } from './templates.js';

/** Mails and texts with places for what differs from recipient to recipient. */
@Module({
  imports: [CrmModule],
  controllers: [TemplatesController],
  providers: [
    TemplatesQueries,
    TemplateValues,
    Templates,
    RenderTemplate,
    CreateTemplateHandler,
    ChangeTemplateHandler,
    DeleteTemplateHandler,
  ],
  exports: [Templates],
})
export class TemplatesModule {}
