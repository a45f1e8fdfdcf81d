# frozen_string_literal: true

module CatgraphBridge
  # Messages over pipes: the length in bytes, a line end, and as many bytes of JSON.
  class Channel
    def initialize(input, output)
      @input = input
      @output = output
      @output.sync = true
    end

    def send(message)
      text = JSON.generate(message, max_nesting: 0)
      @output.write("#{text.bytesize}\n#{text}")
    end

    # The other side has gone when there is nothing more to read.
    def receive
      size = @input.gets
      exit!(0) if size.nil?
      JSON.parse(@input.read(Integer(size)).force_encoding(Encoding::UTF_8), max_nesting: false)
    end
  end
end
