/** Tries to deliver a draft that is due. Repeats are harmless: whoever takes it up first has it. */
export class DeliverDraft {
  constructor(
    readonly organizationId: string,
    readonly draftId: string,
    /** The process that had it in hand and is gone, if that is why. */
    readonly goneWorker: number | null,
  ) {}
}
