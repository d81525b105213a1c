import { ApiProperty } from '@nestjs/swagger';

/** A file that came with a message. */
export class AttachmentResponse {
  /** @example "attachment_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  attachment_id!: string;
  /** Name as its sender gave it. @example "drawing.pdf" */
  @ApiProperty({ type: String, nullable: true })
  file_name!: string | null;
  /** Media type as its sender gave it. @example "application/pdf" */
  content_type!: string;
  /** Bytes. */
  @ApiProperty({ type: 'integer' })
  size!: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  sha256!: string;
  /** Whether it is shown inside the mail's HTML. */
  is_inline!: boolean;
  /** Content-ID by which the mail's HTML names it. */
  @ApiProperty({ type: String, nullable: true })
  content_id!: string | null;
}
