/** The URL under which the outside world reaches this service, without a trailing slash. Known once the port is. */
export class PublicUrl {
  constructor(public value: string) {}

  /** Whether other machines can reach it. */
  get isReachable(): boolean {
    return !['localhost', '127.0.0.1', '[::1]'].includes(new URL(this.value).hostname);
  }
}
