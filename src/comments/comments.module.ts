import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { CrmModule } from '../crm/crm.module.js';
import { DraftsModule } from '../drafts/drafts.module.js';
import { AddCommentHandler } from './add-comment.js';
import { ChangeCommentHandler } from './change-comment.js';
import { CommentedRecords } from './commented-records.js';
import { CommentsController } from './comments.controller.js';
import { CommentQueries } from './comments.queries.js';
import { CommentsTimeline } from './comments-timeline.queries.js';
import { CountComments } from './count-comments.js';
import { DeleteCommentHandler } from './delete-comment.js';
import { Mentions } from './mentions.js';
import { OwnComments } from './own-comments.js';
import { CompanyCommentsController } from './company-comments.controller.js';
import { ContactCommentsController } from './contact-comments.controller.js';
import { ConversationCommentsController } from './conversation-comments.controller.js';
import { SaleCommentsController } from './sale-comments.controller.js';
import { RelinkComments } from './relink-comments.js';
import { TellMentioned } from './tell-mentioned.js';

/** Comments: notes among colleagues on conversations, contacts, companies and sales. */
@Module({
  imports: [CrmModule, ConversationsModule, DraftsModule],
  controllers: [
    ConversationCommentsController,
    ContactCommentsController,
    CompanyCommentsController,
    SaleCommentsController,
    CommentsController,
  ],
  providers: [
    CommentsTimeline,
    RelinkComments,
    TellMentioned,
    CommentQueries,
    CommentedRecords,
    OwnComments,
    CountComments,
    Mentions,
    AddCommentHandler,
    ChangeCommentHandler,
    DeleteCommentHandler,
  ],
})
export class CommentsModule {}
