"""Every statement that changes a row of the queue."""
