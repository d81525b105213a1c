/**
 * Whether this process is about to end. It still answers for a while, says so in its readiness and asks clients to
 * reconnect, so that load balancers turn to other processes before anything is refused.
 */
export class Drain {
  private begun = false;

  get isOn(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
  }
}
