/** The URL under which the outside world reaches this service, without a trailing slash. Known once the port is. */
export class PublicUrl {
  constructor(public value: string) {}
}
